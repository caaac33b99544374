/** The last resort, when the page itself has failed or a part of it could not be loaded. Conversations are not affected. */
export function showCrash(root: Element): void {
  const notice = document.createElement('main')
  notice.className = 'mx-auto max-w-md space-y-4 p-10 text-center'
  const text = document.createElement('p')
  text.textContent = 'This page ran into a problem. Nothing of your conversations is lost.'
  const button = document.createElement('button')
  button.className = 'rounded-xl bg-accent px-4 py-2 text-sm font-medium text-on-accent'
  button.textContent = 'Load the page again'
  button.addEventListener('click', () => location.reload())
  notice.append(text, button)
  root.replaceChildren(notice)
}
