// How foreign text is shown to people. A door of its own, so that a page in a browser loads this and nothing else.
export { showHidden, showPrinted } from './messages/show-hidden.ts'
