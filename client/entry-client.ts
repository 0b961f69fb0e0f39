import './styles/index.css'

function isLoaded(link: HTMLLinkElement): Promise<unknown> | undefined {
  if (!link.relList.supports('modulepreload')) return undefined
  return new Promise((resolve, reject) => {
    link.onload = resolve
    link.onerror = reject
  })
}

/** Loads what makes the page alive, and runs it once all of it is there and is what the build made. */
async function loadRest(): Promise<void> {
  const rest = document.querySelector<HTMLTemplateElement>('#after-paint')?.content
  const links = [...(rest?.querySelectorAll('link') ?? [])]
  const loaded = links.map(isLoaded)
  document.head.append(...links)
  await Promise.all(loaded)
  if (rest) document.head.append(rest)
}

// It must not hold up the page's words: it is asked for once they have been painted, or at once where nothing is.
// Should it fail, the page stays as it was sent, and the browser has said why.
const start = () => loadRest().catch(() => {})
if (document.hidden) start()
else requestAnimationFrame(() => setTimeout(start))
