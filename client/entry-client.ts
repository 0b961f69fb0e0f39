import './styles/index.css'

/** What makes the page alive must not hold up its words: it is asked for once they have been painted. */
function loadRest(): void {
  const rest = document.querySelector<HTMLTemplateElement>('#after-paint')
  if (rest) document.head.append(rest.content)
}

// Where nothing is painted, no frame comes.
if (document.hidden) loadRest()
else requestAnimationFrame(() => setTimeout(loadRest))
