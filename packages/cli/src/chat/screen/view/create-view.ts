import { Container, Editor, Loader, ProcessTerminal, Spacer, TuiMainScreen, matchesKey } from '@earendil-works/pi-tui'
import type { Component } from '@earendil-works/pi-tui'
import { renderQuestion } from '../../../cards/render-question.ts'
import type { Paint } from '../../../terminal/paint.ts'
import { fitText, oneLine } from '../../../terminal/text-width.ts'
import type { ChatState } from '../chat-state.ts'
import { createBlockList } from './block-list.ts'
import { createCompletions } from './completions.ts'
import type { SlashWord } from './completions.ts'
import { renderStatusLine } from './status-line.ts'
import { createEditorTheme, createMarkdownTheme } from './theme.ts'

/** The screen. Everything about the terminal library is known in this folder and nowhere else. */
export interface ChatView {
  show(state: ChatState): void
  /** Gives the terminal back; what was said stays on it. */
  stop(): Promise<void>
}

export interface ViewOptions {
  readonly paint: Paint
  readonly words: readonly SlashWord[]
  /** What was typed before, oldest first. */
  readonly history: readonly string[]
  readonly onSubmit: (text: string) => void
  /** To the question that is shown. */
  readonly onAnswer: (isYes: boolean) => void
  /** Ctrl-C with nothing typed. */
  readonly onInterrupt: () => void
  /** Ctrl-D with nothing typed. */
  readonly onLeave: () => void
}

export function createView(options: ViewOptions): ChatView {
  const { paint } = options
  const tui = new TuiMainScreen(new ProcessTerminal())
  const blocks = createBlockList(paint, createMarkdownTheme(paint))
  const activity = createActivity(tui, paint)
  let state: ChatState | null = null
  const above = linesOf((width) => (state === null ? [] : renderAbove(state, width, paint)))
  const below = linesOf((width) => [renderStatusLine(state?.status ?? null, width, paint)])
  const editor = createEditor(tui, options, () => state !== null && findQuestion(state) !== null)
  for (const child of [blocks.component, activity.component, above, editor, below]) tui.addChild(child)
  tui.setFocus(editor)

  tui.addInputListener((data) => {
    const isEmpty = editor.getText() === ''
    if (matchesKey(data, 'ctrl+c')) {
      if (isEmpty) options.onInterrupt()
      else editor.setText('')
    } else if (matchesKey(data, 'ctrl+d') && isEmpty) options.onLeave()
    else if (matchesKey(data, 'ctrl+o')) blocks.toggleFold()
    else return undefined
    tui.requestRender()
    return { consume: true }
  })
  tui.start()

  return {
    show(next) {
      state = next
      blocks.show(next.conversation.blocks)
      activity.show(findQuestion(next) === null ? next.conversation.activity : null)
      tui.requestRender()
    },
    async stop() {
      activity.show(null)
      for (const child of [above, editor, below]) tui.removeChild(child)
      // The library writes a blank where its cursor stands: let that be a line of its own.
      tui.addChild(new Spacer(1))
      tui.renderNow()
      await tui.terminal.drainInput()
      tui.stop()
    },
  }
}

const EDITOR_OPTIONS = { autocompleteMaxVisible: 7 }

/** A single letter is never an answer: whoever is typing when a question comes up must not allow something by that. */
function createEditor(tui: TuiMainScreen, options: ViewOptions, isAsked: () => boolean): Editor {
  const { paint, words, history, onSubmit, onAnswer } = options
  const editor = new Editor(tui, createEditorTheme(paint), EDITOR_OPTIONS)
  editor.setAutocompleteProvider(createCompletions(words))
  for (const line of history) editor.addToHistory(line)
  editor.onSubmit = (text) => {
    if (text.trim() === '') return
    const [, yes, no] = isAsked() ? (/^\s*(?:(y|yes)|(n|no))\s*$/i.exec(text) ?? []) : []
    if (yes !== undefined || no !== undefined) {
      onAnswer(yes !== undefined)
      return
    }
    editor.addToHistory(text)
    onSubmit(text)
  }
  return editor
}

/** A wheel that turns while something is going on. */
function createActivity(tui: TuiMainScreen, paint: Paint): { component: Component; show(text: string | null): void } {
  const component = new Container()
  const loader = new Loader(tui, paint.cyan, paint.dim, '')
  loader.stop()
  let shown: string | null = null
  return {
    component,
    show(text) {
      if (text === shown) return
      if (text === null) {
        loader.stop()
        component.clear()
      } else {
        loader.setMessage(oneLine(text))
        if (shown === null) {
          component.addChild(loader)
          loader.start()
        }
      }
      shown = text
    },
  }
}

/** What waits, and what is asked. */
function renderAbove(state: ChatState, width: number, paint: Paint): readonly string[] {
  const waiting = [...state.conversation.waiting.map(({ text }) => text), ...state.commands.filter(isSlow)]
  const question = findQuestion(state)
  return [
    ...(waiting.length === 0 && question === null ? [] : ['']),
    ...waiting.map((text) => paint.dim(fitText(`⏳ queued: ${oneLine(text)}`, width))),
    ...(question === null
      ? []
      : typeof question === 'string'
        ? [paint.yellow(fitText(`? ${question}`, width)), paint.dim(fitText('  type y or n, then Enter', width))]
        : renderQuestion(question.display, { width, paint })),
  ]
}

/** These wait for the end of the turn; the others answer at once. */
function isSlow(line: string): boolean {
  return /^\/(?:compact|undo|reset|model|preset|pin|unpin)\b/i.test(line.trim())
}

/** A question of a command, in its own words, or a call that waits to be allowed. */
function findQuestion({ question, conversation }: ChatState): string | { readonly display: string } | null {
  return question ?? conversation.approvals[0] ?? null
}

function linesOf(render: (width: number) => readonly string[]): Component {
  return { render: (width) => [...render(width)], invalidate: () => undefined }
}
