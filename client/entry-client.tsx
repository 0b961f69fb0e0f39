import './styles/index.css'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import type { PageState } from '../shared/page-state.ts'
import { App } from './app.tsx'
import { sendErrorReport } from './error-report.ts'
import { loadTexts } from './texts.ts'
import { loadView } from './views.ts'

const state: PageState = JSON.parse(document.getElementById('state')?.textContent ?? '')
const root = document.getElementById('root')
const [texts] = await Promise.all([loadTexts(state.language), loadView(state.page)])

if (root) {
  hydrateRoot(
    root,
    <BrowserRouter>
      <App state={state} texts={texts} />
    </BrowserRouter>,
    {
      onUncaughtError: sendErrorReport,
      onCaughtError: sendErrorReport,
      onRecoverableError: sendErrorReport,
    },
  )
}
