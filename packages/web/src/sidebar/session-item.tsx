import type { Session } from '@longhaul/protocol'
import { writeRoute } from '../app/route/route.ts'
import { formatWhen } from '../ui/text/format.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { joinClasses } from '../ui/join-classes.ts'
import { OriginBadge } from '../ui/origin-badge.tsx'
import { Menu } from '../ui/menu.tsx'
import { plainPreview } from './plain-preview.ts'
import { titleOf } from './title-of.ts'

export interface SessionItemProps {
  readonly session: Session
  readonly isOpen: boolean
  readonly onRename: () => void
  readonly onExport: () => void
  readonly onDelete: () => void
}

export function SessionItem({ session, isOpen, onRename, onExport, onDelete }: SessionItemProps) {
  const title = titleOf(session)
  return (
    <li
      className={joinClasses(
        'group relative rounded-xl transition-colors hover:bg-hover has-[a:focus-visible]:bg-hover',
        isOpen && 'bg-hover',
      )}
    >
      <a
        href={writeRoute({ page: 'session', id: session.id })}
        aria-current={isOpen ? 'page' : undefined}
        className="block rounded-xl py-2 pr-10 pl-3"
      >
        <span className="flex items-center gap-2">
          <span className={joinClasses('min-w-0 truncate text-sm', isOpen ? 'font-semibold' : 'font-medium')}>
            {title}
          </span>
          {session.origin !== null && <OriginBadge origin={session.origin} />}
        </span>
        <span className="block truncate text-xs text-muted">
          {[
            // An imported conversation may know no times.
            ...(session.updatedAt > 0 ? [formatWhen(session.updatedAt)] : []),
            ...(session.lastMessagePreview === null ? [] : [plainPreview(session.lastMessagePreview)]),
          ].join(' · ')}
        </span>
      </a>
      <div className="absolute top-1/2 right-1.5 -translate-y-1/2 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 has-[[data-state=open]]:opacity-100 pointer-coarse:opacity-100">
        <Menu
          trigger={<IconButton icon="dots" label={`More for ${title}`} className="size-8" />}
          items={[
            // Only the program that keeps it can write to it.
            ...(session.origin === null ? [{ label: 'Rename', icon: 'pencil', onSelect: onRename } as const] : []),
            { label: 'Export', icon: 'download', onSelect: onExport },
            { label: 'Delete', icon: 'trash', onSelect: onDelete, isDangerous: true },
          ]}
        />
      </div>
    </li>
  )
}
