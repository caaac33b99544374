import { AgentError } from '../agent-error.ts'
import type { Command } from './command.ts'
import { listPins } from './pins.ts'
import { request } from './request.ts'

export const unpinCommand: Command = {
  name: 'unpin',
  usage: '/unpin N',
  summary: 'let a pin go, by its number in /pins',
  async run(argument, context) {
    const pins = await listPins(context)
    const pin = pins.find(({ number }) => String(number) === argument)
    if (pin === undefined) {
      const range = pins.length === 0 ? 'nothing is pinned' : `the pins are numbered 1 to ${pins.length}`
      throw new AgentError('invalid-request', `There is no pin "${argument}": ${range}.`)
    }
    const { id, number, text } = pin
    return request(context, {
      kind: 'unpin',
      payload: { pin: id },
      describe: () => ({ command: 'unpin', number, text }),
    })
  },
}
