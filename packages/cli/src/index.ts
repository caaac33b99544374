export { startProgram } from './start-program.ts'
