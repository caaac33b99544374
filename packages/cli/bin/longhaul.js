#!/usr/bin/env node
// Plain JavaScript that any Node can read, so that one too old for the rest still says what to do.
const wanted = [24, 15]
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < wanted[0] || (major === wanted[0] && minor < wanted[1])) {
  console.error(
    'Longhaul needs Node ' +
      wanted.join('.') +
      ' or newer; this is ' +
      process.versions.node +
      '. ' +
      'In its checkout on Linux (x64, arm64), `npm ci` brings it along: start it as `npx longhaul`.',
  )
  process.exitCode = 1
} else {
  // What was compiled once is not compiled again: half of the time it takes to start.
  void import('node:module')
    .then((module) => module.enableCompileCache())
    .then(() => import('@longhaul/cli'))
    .then((cli) => cli.startProgram(process.argv.slice(2)))
}
