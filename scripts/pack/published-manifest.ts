/** The files that a host loads, as its package format names them. */
interface Extensions {
  readonly extensions: readonly string[]
}

/** A package.json, as far as packing looks at it. */
export interface PackageManifest {
  readonly name: string
  readonly description: string
  readonly bin?: object
  readonly engines?: object | undefined
  readonly exports?: string | Readonly<Record<string, string>>
  readonly private?: boolean
  readonly devDependencies?: object
  /** The extensions that pi finds in the package. */
  readonly pi?: Extensions
  /** The extensions that OpenClaw finds in the package. */
  readonly openclaw?: Extensions
  dependencies?: object
}

/** The same package for whoever installs it: its exports name what was compiled, and what only we need is gone. */
export function createPublishedManifest(manifest: PackageManifest): object {
  const { exports, private: _private, devDependencies: _ours, pi, openclaw, ...rest } = manifest
  return {
    ...rest,
    exports: exports === undefined ? undefined : compileExports(exports),
    ...(pi === undefined ? {} : { pi: compileExtensions(pi) }),
    ...(openclaw === undefined ? {} : { openclaw: compileExtensions(openclaw) }),
  }
}

function compileExtensions(declared: Extensions): Extensions {
  return { ...declared, extensions: declared.extensions.map((source) => compiled(source).default) }
}

function compileExports(exports: string | Readonly<Record<string, string>>): object {
  const entries = Object.entries(typeof exports === 'string' ? { '.': exports } : exports)
  return Object.fromEntries(entries.map(([path, source]) => [path, compiled(source)]))
}

function compiled(source: string): { readonly types: string; readonly default: string } {
  const base = source.replace(/\.ts$/, '')
  return { types: `${base}.d.ts`, default: `${base}.js` }
}
