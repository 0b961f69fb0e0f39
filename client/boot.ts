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
  const links = [...(rest?.querySelectorAll<HTMLLinkElement>('[rel=modulepreload]') ?? [])]
  const loaded = links.map(isLoaded)
  document.head.append(...links)
  await Promise.all(loaded)
  if (rest) document.head.append(rest)
}

/** In ms: for a browser that does not say when it paints. */
const PATIENCE = 1000

/** Resolves once the words of the page are on the screen. A frame's own callbacks come before that. */
function isPainted(): Promise<unknown> {
  return new Promise((resolve) => {
    setTimeout(resolve, PATIENCE)
    if (typeof PerformanceObserver === 'undefined') return
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) resolve(list)
    }).observe({ type: 'paint', buffered: true })
  })
}

// It must not hold up the page's words: it is asked for once they have been painted, or at once where nothing is.
// Should it fail, the page stays as it was sent, and the browser has said why.
Promise.resolve(document.hidden || isPainted())
  .then(loadRest)
  .catch(() => {})
