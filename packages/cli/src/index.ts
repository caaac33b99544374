export { runMain } from './run-main.ts'
