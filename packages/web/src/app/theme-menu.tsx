import { useState } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu } from '../ui/menu.tsx'
import { applyTheme, readTheme } from './theme.ts'
import type { Theme } from './theme.ts'

const THEMES = [
  { theme: 'system', label: 'Like the system' },
  { theme: 'light', label: 'Light' },
  { theme: 'dark', label: 'Dark' },
] as const

export function ThemeMenu() {
  const [theme, setTheme] = useState<Theme>(readTheme)
  return (
    <Menu
      trigger={<IconButton icon={theme === 'dark' ? 'moon' : 'sun'} label="Theme" />}
      items={THEMES.map(({ theme: each, label }) => ({
        label,
        ...(each === theme ? { icon: 'check' as const } : {}),
        onSelect: () => {
          applyTheme(each)
          setTheme(each)
        },
      }))}
    />
  )
}
