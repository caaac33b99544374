import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The example as it runs, so that what the README shows is what the tests have run. */
export function renderExample(root: string): string {
  return `\`\`\`ts\n${readFileSync(join(root, 'examples/engine-in-your-loop.ts'), 'utf8')}\`\`\``
}
