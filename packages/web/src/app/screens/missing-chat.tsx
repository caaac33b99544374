import { PageHeader } from './page-header.tsx'
import { writeRoute } from '../route/route.ts'

/** In place of a chat that is not there (any more). */
export function MissingChat({ onOpenMenu }: { readonly onOpenMenu: (() => void) | null }) {
  return (
    <main className="flex h-full flex-col">
      <PageHeader title="No such chat" onOpenMenu={onOpenMenu} />
      <div className="m-auto max-w-sm space-y-3 p-6 text-center">
        <p>This chat does not exist, or was deleted.</p>
        <a
          href={writeRoute({ page: 'new' })}
          className="inline-block font-medium text-accent underline-offset-4 hover:underline"
        >
          Start a new chat
        </a>
      </div>
    </main>
  )
}
