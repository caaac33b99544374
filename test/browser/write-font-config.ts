import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Text in the font that comes with the browser, so that pages look the same on every machine, one without fonts included.
 * What it lacks comes from the machine's own. Returns the file's path.
 */
export async function writeFontConfig(browserFolder: string): Promise<string> {
  const path = join(browserFolder, 'longhaul-fonts.conf')
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, createConfig(join(browserFolder, 'fonts')))
  // Browsers of other processes may be reading it.
  await rename(unfinished, path)
  return path
}

function createConfig(fontFolder: string): string {
  const prefer = (family: string): string =>
    `<match target="pattern"><test name="family"><string>${family}</string></test>` +
    `<edit name="family" mode="prepend" binding="strong"><string>Open Sans</string></edit></match>`
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${fontFolder}</dir>
  ${prefer('system-ui')}
  ${prefer('sans-serif')}
</fontconfig>
`
}
