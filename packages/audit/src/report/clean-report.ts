import { redactSecrets } from '@longhaul/engine/advanced'
import type { AuditReport } from './audit-report.ts'

/** A user's folder on Linux, macOS and Windows, whoever it belongs to, wherever it is mounted. */
const HOME_FOLDER = /(?:\/home\/|\/Users\/|[A-Za-z]:[\\/]{1,2}Users[\\/]{1,2})[^\s/\\:"'`<>|*?]{1,64}/g
/** The same as Claude Code names its folders: every slash is a dash. */
const DASHED_HOME = /(?<![\w~])-(?:home|Users)-[A-Za-z0-9_]{1,64}/g

/** A report that may be shown to others: every text in it without secrets, and without the names of home folders. */
export function cleanReport(report: AuditReport, home: string): AuditReport {
  const clean = createCleaner(home)
  return JSON.parse(JSON.stringify(report), (key, value: unknown) => {
    if (typeof value !== 'string') return value
    return clean(key === 'excerpt' ? dropCutWords(value) : value)
  }) as AuditReport
}

/** Half a word at the edge of an excerpt may be half a secret, which nobody recognizes. */
function dropCutWords(excerpt: string): string {
  return excerpt.replace(/^…\S{1,80}\s/, '… ').replace(/\s\S{1,80}…$/, ' …')
}

/** Takes secrets and home folders out of a text. `home` is the folder of this user, which may lie anywhere. */
export function createCleaner(home: string): (text: string) => string {
  const own = home.replace(/[\\/]+$/, '')
  const dashed = own.replaceAll(/[^A-Za-z0-9]/g, '-')
  return (text) => {
    let cleaned = redactSecrets(text)
    if (own.length > 1) cleaned = replaceFolder(replaceFolder(cleaned, own, '~'), dashed, '-~')
    return cleaned.replaceAll(HOME_FOLDER, '~').replaceAll(DASHED_HOME, '-~')
  }
}

/** Not within a longer name: `/root` does not stand in `/rooted`. */
function replaceFolder(text: string, folder: string, by: string): string {
  const parts = text.split(folder)
  return parts.reduce((before, part) => before + (/^\w/.test(part) ? folder : by) + part)
}
