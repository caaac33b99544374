// Checks that every reader of untrusted text is tried with hostile text: node scripts/check-readers.ts
import { READERS } from '../test/hostile/readers.ts'
import { checkReaders } from './readers/check-readers.ts'
import { EXCEPTIONS } from './readers/exceptions.ts'

const { lines, passed } = checkReaders({ root: '.', tried: READERS, exceptions: EXCEPTIONS })
console.log(lines.join('\n'))
if (!passed) process.exitCode = 1
