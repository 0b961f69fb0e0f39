import './styles/index.css'

const start = () => import('./start.tsx')

// What makes the page alive must not hold up its words: it starts when they have been painted.
if (document.hidden) start()
else requestAnimationFrame(() => setTimeout(start))
