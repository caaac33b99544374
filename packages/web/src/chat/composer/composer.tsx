import type { CommandHelp } from '@longhaul/protocol'
import { useId } from 'react'
import type { KeyboardEvent } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { AttachedImages } from './attached-images.tsx'
import { CommandMenu, optionId } from './command-menu.tsx'
import { ImagePicker } from './image-picker.tsx'
import type { ImageAttachment } from './read-image.ts'
import { isCommand, nameOf, takesWords } from './slash-commands.ts'
import { useCompletion } from './use-completion.ts'
import { useDraft } from './use-draft.ts'
import type { Images } from './use-images.ts'

export interface ComposerProps {
  readonly sessionId: string
  readonly commands: readonly CommandHelp[]
  /** An answer is under way: what is sent now waits for it. */
  readonly isBusy: boolean
  readonly images: Images
  readonly onSend: (text: string, images: readonly ImageAttachment[]) => void
  readonly onCommand: (line: string) => void
  readonly onStop: () => void
}

/** Where the user writes. Never blocked: what is sent while an answer is under way queues. */
export function Composer({ sessionId, commands, isBusy, images, onSend, onCommand, onStop }: ComposerProps) {
  const [draft, setDraft] = useDraft(sessionId)
  const menuId = useId()
  const isEmpty = draft.trim() === '' && images.images.length === 0

  const write = (next: string): void => {
    setDraft(next)
    completion.restart()
  }
  const send = (text = draft): void => {
    const said = text.trim()
    if (said === '' && images.images.length === 0) return
    if (isCommand(said)) onCommand(said)
    else {
      onSend(said, images.images)
      images.clear()
    }
    write('')
  }
  const completion = useCompletion(draft, commands, (command) => {
    if (takesWords(command)) write(`${nameOf(command)} `)
    else send(nameOf(command))
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    // An input method uses Enter to choose a word.
    if (event.nativeEvent.isComposing) return
    const isTaken = completion.onKey(event)
    const isSending = !isTaken && event.key === 'Enter' && !event.shiftKey
    if (isTaken || isSending) event.preventDefault()
    if (isSending) send()
  }

  return (
    <div className="relative rounded-3xl border border-line bg-surface shadow-sm transition-colors focus-within:border-line-strong">
      <CommandMenu id={menuId} {...completion} />
      <AttachedImages images={images.images} onRemove={images.remove} />
      <textarea
        value={draft}
        rows={1}
        dir="auto"
        // On a phone the keyboard would cover what there is to read.
        autoFocus={matchMedia('(pointer: fine)').matches}
        ref={putCursorAtEnd}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          if (event.clipboardData.files.length === 0) return
          event.preventDefault()
          images.add(event.clipboardData.files)
        }}
        aria-label="Message"
        placeholder={isBusy ? 'Type on; it will be queued' : 'Write a message, or / for commands'}
        aria-autocomplete="list"
        {...(completion.options.length === 0
          ? {}
          : { 'aria-controls': menuId, 'aria-activedescendant': optionId(menuId, completion.active) })}
        className="field-sizing-content block max-h-72 min-h-13 w-full resize-none bg-transparent px-5 pt-4 pb-1 outline-none placeholder:text-muted"
      />
      <div className="flex items-center gap-1.5 px-2.5 pb-2.5">
        <ImagePicker onPick={images.add} />
        <span className="flex-1" />
        {isBusy && <IconButton icon="stop" look="outline" label="Stop" onClick={onStop} />}
        <IconButton
          icon="send"
          look="primary"
          label={isBusy ? 'Queue the message' : 'Send'}
          disabled={isEmpty}
          onClick={() => send()}
        />
      </div>
    </div>
  )
}

/** Behind a draft that is there already. */
function putCursorAtEnd(field: HTMLTextAreaElement | null): void {
  field?.setSelectionRange(field.value.length, field.value.length)
}
