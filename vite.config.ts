import { rm } from 'node:fs/promises'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './tools/vite/precompress.ts'
import { styles } from './tools/vite/styles.ts'
import { texts } from './tools/vite/texts.ts'

/** entry-client.ts loads React DOM, then hydrate.tsx. The browser fetches both at once. */
function preloadPage() {
  let page: string[] = []
  return (file: string, dependencies: string[]) => {
    if (file.includes('/hydrate-')) page = dependencies
    if (!file.includes('/client-')) return dependencies
    if (page.length === 0) throw new Error('hydrate.tsx has no script to preload')
    return page
  }
}

export default defineConfig(({ command }) => ({
  root: 'client',
  // The server publishes the files of client/public by itself, in development too.
  publicDir: false,
  plugins: [react(), texts(), styles(), precompress()],
  // Development would look for the inputs of the build below `root`, and find the packages only one reload after another.
  optimizeDeps: { entries: ['entry-client.ts'] },
  build: {
    assetsInlineLimit: 0,
    emptyOutDir: true,
    modulePreload: { polyfill: false, resolveDependencies: preloadPage() },
  },
  // The server's bundle is removed first and written last, so an interrupted build counts as missing.
  builder: { buildApp: () => rm('dist/server', { recursive: true, force: true }) },
  environments: {
    client: {
      build: {
        outDir: '../dist/client',
        license: { fileName: 'assets/licenses.txt' },
        rolldownOptions: {
          input: ['client/index.html', 'client/styles/first.css', 'client/styles/later.css'],
          // React DOM creates errors as it loads. An attached debugger reads their stacks, and the browser then parses again
          // every function on them. In a file of its own, React DOM is the only large one.
          output: { codeSplitting: { groups: [{ name: 'react-dom', test: /react-dom-client/ }] } },
        },
      },
    },
    ssr: {
      build: {
        outDir: '../dist/server',
        minify: true,
        rolldownOptions: {
          input: 'client/entry-server.tsx',
          // The site loads this one file at its start, so that a new build does not change a running site.
          output: { codeSplitting: false },
        },
      },
      // Also bundles the packages, so that the image needs no React.
      ...(command === 'build' && {
        resolve: { noExternal: true as const },
        define: { 'process.env.NODE_ENV': '"production"' },
      }),
    },
  },
}))
