import type { CommandRunner } from './command/command-runner.ts'
import { createRunCommandTool } from './command/run-command.ts'
import type { GuardedPath } from './files/guarded-path.ts'
import { createListFilesTool } from './files/list-files.ts'
import { createReadFileTool } from './files/read-file.ts'
import { createSearchFilesTool } from './files/search-files.ts'
import { createWorkspace } from './files/workspace.ts'
import { createWriteFileTool } from './files/write-file.ts'
import { createHttpGetTool } from './http/http-get.ts'
import type { HttpGetOptions } from './http/http-get.ts'
import type { Tool } from './port/tool.ts'

export interface WorkspaceToolsOptions {
  readonly folder: string
  readonly access: 'rw' | 'ro' | 'none'
  /** Paths of this installation that no tool writes unasked, nor reads if they are private, wherever they lie. */
  readonly guarded?: readonly GuardedPath[]
  readonly commands: CommandRunner
  readonly http?: HttpGetOptions
}

/** The tools that come with Longhaul: files, commands, HTTP. Without access to the workspace, only the last. */
export function createWorkspaceTools(options: WorkspaceToolsOptions): readonly Tool[] {
  const { folder, access, commands, guarded = [], http } = options
  const workspace = createWorkspace(folder)
  const reading = [
    createReadFileTool(workspace, guarded),
    createListFilesTool(workspace, guarded),
    createSearchFilesTool(workspace, guarded),
  ]
  const writing = [createWriteFileTool(workspace, { guarded }), createRunCommandTool(commands)]
  return [...(access === 'none' ? [] : reading), ...(access === 'rw' ? writing : []), createHttpGetTool(http)]
}
