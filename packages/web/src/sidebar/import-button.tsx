import { useRef } from 'react'
import { useClient } from '../api/client-context.tsx'
import { describeError } from '../api/describe-error.ts'
import { goTo } from '../app/route/use-route.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { useSnackbar } from '../ui/snackbar.tsx'
import { describeImport } from './describe-import.ts'

/** Brings in a conversation from a file: ours, or one of the other formats the server knows. */
export function ImportButton({ onImported }: { readonly onImported: () => void }) {
  const client = useClient()
  const show = useSnackbar()
  const picker = useRef<HTMLInputElement>(null)

  const bringIn = async (file: File): Promise<void> => {
    try {
      const { session, copies, problems } = await client.importSession(file)
      onImported()
      goTo({ page: 'session', id: session.id })
      const text = describeImport({ copies, problems })
      if (text !== null) show({ text })
    } catch (error) {
      show({ text: `${file.name} was not imported: ${describeError(error)}` })
    }
  }

  return (
    <>
      <input
        ref={picker}
        type="file"
        accept=".jsonl,.json"
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file !== undefined) void bringIn(file)
          event.target.value = ''
        }}
      />
      <IconButton icon="upload" label="Import a conversation" onClick={() => picker.current?.click()} />
    </>
  )
}
