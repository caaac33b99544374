import { useClient } from '../api/client-context.tsx'
import { Problem } from '../api/problem.tsx'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { saveFile } from '../ui/save-file.ts'

/** The same as a page with plots, in one file: whole, or for everybody. */
export function SavePage() {
  const client = useClient()
  const save = useAction(async (isShared: boolean) =>
    saveFile(await client.getAuditPage(isShared), isShared ? 'audit-counts.html' : 'audit.html'),
  )
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap gap-2">
        <Button size="small" disabled={save.isRunning} onClick={() => save.run(false)}>
          <Icon name="download" className="size-4" /> Save as a page with plots
        </Button>
        <Button size="small" disabled={save.isRunning} onClick={() => save.run(true)}>
          <Icon name="download" className="size-4" /> Save without texts
        </Button>
      </div>
      {save.error !== undefined && <Problem error={save.error} />}
    </div>
  )
}
