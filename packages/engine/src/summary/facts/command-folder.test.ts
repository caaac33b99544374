import { expect, it } from 'vitest'
import { splitFolder } from './command-folder.ts'

it.each([
  ['cd /app && npm test', '/app', 'npm test'],
  ['cd "/my app"; ls', '/my app', 'ls'],
  ['npm test', '', 'npm test'],
  ['cd /app', '', 'cd /app'],
  ['cd /app && cd src && ls', '/app', 'cd src && ls'],
  ['echo cd /app && ls', '', 'echo cd /app && ls'],
])('%j runs in %j', (text, folder, command) => {
  expect(splitFolder(text)).toEqual({ folder, command })
})
