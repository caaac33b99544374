// Plain JavaScript, so that a Node too old for the rest still runs it and says what to do.
const wanted = [24, 15]
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < wanted[0] || (major === wanted[0] && minor < wanted[1])) {
  console.error(
    `Longhaul needs Node ${wanted.join('.')} or newer; this is ${process.versions.node}. ` +
      'On Linux (x64, arm64) `npm ci` brings it along, unless optional packages are left out; elsewhere install it first.',
  )
  process.exit(1)
}
