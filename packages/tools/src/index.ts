export type { Tool } from './port/tool.ts'
