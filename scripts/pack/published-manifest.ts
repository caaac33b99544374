/** A package.json, as far as packing looks at it. */
export interface PackageManifest {
  readonly name: string
  readonly description: string
  readonly bin?: object
  readonly engines?: object | undefined
  readonly exports?: string | Readonly<Record<string, string>>
  readonly private?: boolean
  readonly devDependencies?: object
  /** What OpenClaw finds in the package. */
  readonly openclaw?: { readonly extensions: readonly string[] }
  dependencies?: object
}

/** The same package for whoever installs it: its exports name what was compiled, and what only we need is gone. */
export function createPublishedManifest(manifest: PackageManifest): object {
  const { exports, private: _private, devDependencies: _ours, openclaw, ...rest } = manifest
  const extensions = openclaw?.extensions.map((source) => compiled(source).default)
  return {
    ...rest,
    exports: exports === undefined ? undefined : compileExports(exports),
    ...(openclaw === undefined ? {} : { openclaw: { ...openclaw, extensions } }),
  }
}

function compileExports(exports: string | Readonly<Record<string, string>>): object {
  const entries = Object.entries(typeof exports === 'string' ? { '.': exports } : exports)
  return Object.fromEntries(entries.map(([path, source]) => [path, compiled(source)]))
}

function compiled(source: string): { readonly types: string; readonly default: string } {
  const base = source.replace(/\.ts$/, '')
  return { types: `${base}.d.ts`, default: `${base}.js` }
}
