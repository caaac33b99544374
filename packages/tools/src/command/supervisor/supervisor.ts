// The process under which commands run: started by the server without any secret, and gone as soon as the server is.
import type { CommandOrder, FromSupervisor, ToSupervisor } from './command-order.ts'
import { superviseCommand } from './supervise-command.ts'
import type { SupervisedCommand } from './supervise-command.ts'

const running = new Map<string, SupervisedCommand>()

process.on('message', (message: ToSupervisor) => {
  if (message.type === 'cancel') {
    void running.get(message.id)?.stop('cancelled')
    return
  }
  void run(message.order)
})

async function run(order: CommandOrder): Promise<void> {
  const { id } = order
  const command = superviseCommand(order)
  running.set(id, command)
  if (command.root !== null) tell({ type: 'started', id, ...command.root })
  const report = await command.report
  running.delete(id)
  tell({ type: 'ended', id, report })
}

process.once('disconnect', () => void endAll())
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => void endAll())

/** Nobody is there to read what comes of the commands: they end at once, with everything they started. */
async function endAll(): Promise<void> {
  while (running.size > 0) {
    await Promise.all([...running.values()].map(({ stop }) => stop('cancelled', true)))
    await new Promise((resolve) => setImmediate(resolve))
  }
  process.exit()
}

function tell(message: FromSupervisor): void {
  // The server may be gone; then there is nobody to tell.
  if (process.connected) process.send?.(message, undefined, {}, () => undefined)
}
