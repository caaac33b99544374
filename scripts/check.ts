// npm run check: everything about the code that can be told without running it. The first failure stops.
import { spawnSync } from 'node:child_process'

const stages = ['format:check', 'lint', 'types', 'arrows', 'sizes', 'readers', 'unused', 'docs:check']

const begin = performance.now()
for (const stage of stages) {
  console.log(`\n── ${stage}`)
  const { status } = spawnSync(process.execPath, ['--run', stage], { stdio: 'inherit' })
  if (status !== 0) {
    console.error(`\ncheck failed; to repeat this stage alone: npm run ${stage}`)
    process.exit(1)
  }
}
console.log(`\ncheck passed in ${((performance.now() - begin) / 1000).toFixed(1)} s`)
