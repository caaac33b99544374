import type { AgentEvent } from '@longhaul/runtime'
import type { Invocation } from '../program/invocation.ts'
import { askFor, canAsk } from '../terminal/ask.ts'
import { cleanText, showText } from '../terminal/text-width.ts'
import { describeEvent } from './describe-event.ts'

export interface EventPrinter {
  show(event: AgentEvent): Promise<void>
  /** The turn is over. */
  end(): void
}

/**
 * A turn as plain text: on a terminal word by word as it comes, elsewhere the reply alone when it is complete; with
 * `--json` every event on a line. What is not the reply goes to stderr.
 */
export function createEventPrinter(
  { options, output }: Invocation,
  approve: (callId: string, allow: boolean) => Promise<void>,
): EventPrinter {
  const { json, verbose } = options
  let isInLine = false

  function endLine(): void {
    if (isInLine) output.write('\n')
    isInLine = false
  }

  async function settle(event: Extract<AgentEvent, { type: 'approval-needed' }>): Promise<void> {
    const { id, name, display } = event
    if (canAsk()) {
      output.note(`Asks to run ${display}`)
      await approve(id, await askFor(`Allow ${showText(name)}?`, ''))
      return
    }
    output.note('Not allowed, because nobody can be asked here. See tools.permissions in the configuration.')
    output.note(`It asked to run ${display}`)
    await approve(id, false)
  }

  return {
    async show(event) {
      if (json === true) output.print(JSON.stringify(event))
      else if (event.type === 'text-delta' && output.isTerminal) {
        output.write(cleanText(event.text))
        isInLine = true
      } else if (event.type === 'response-complete') {
        if (!output.isTerminal) output.print(event.text)
        endLine()
      } else {
        const line = describeEvent(event, verbose === true)
        if (line !== null) {
          endLine()
          output.note(output.paint.dim(cleanText(line)))
        }
      }
      if (event.type === 'approval-needed') await settle(event)
    },
    end: endLine,
  }
}
