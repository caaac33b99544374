import type { CommandResult as PresentedResult } from '@longhaul/protocol'
import type { CommandResult } from '@longhaul/runtime'
import type { ServerContext } from '../server-context.ts'
import { presentContext } from './context.ts'
import { presentSession } from './session.ts'
import { presentStatus } from './status.ts'

export type DoneCommand = Exclude<CommandResult, { readonly command: 'left-to-host' }>

export async function presentCommandResult(server: ServerContext, result: DoneCommand): Promise<PresentedResult> {
  switch (result.command) {
    case 'new':
      return { ...result, session: await presentSession(server, result.session) }
    case 'context':
      return { ...result, report: presentContext(result.report) }
    case 'status':
      return { ...result, status: presentStatus(result.status) }
    case 'undo':
      return { ...result, undone: [...result.undone] }
    case 'model':
    case 'preset':
      return { ...result, choices: [...result.choices] }
    case 'pins':
      return { ...result, pins: [...result.pins] }
    case 'recall':
      return { ...result, found: [...result.found] }
    case 'memory':
      return { ...result, files: [...result.files], hits: [...result.hits] }
    case 'help':
      return { ...result, commands: [...result.commands] }
    case 'compact':
    case 'reset':
    case 'pin':
    case 'unpin':
      return result
    default:
      return result satisfies never
  }
}
