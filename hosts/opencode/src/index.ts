import { longhaulPlugin } from './longhaul-plugin.ts'

export type { LonghaulPluginOptions } from './plugin-options.ts'

/**
 * opencode loads it by the package's name.
 *
 * @example
 * // opencode.json
 * { "plugin": ["@longhaul/opencode"] }
 */
export default { id: 'longhaul', server: longhaulPlugin }
