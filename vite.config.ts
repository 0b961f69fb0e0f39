import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { listModules } from './tools/vite/bundle-report.ts'
import { excerpts } from './tools/vite/content-chunks.ts'
import { fonts } from './tools/vite/fonts.ts'
import { frameChunk } from './tools/vite/frame-chunk.ts'
import { pictures } from './tools/vite/images-plugin.ts'
import { inlineStyle } from './tools/vite/inline-style.ts'

const COMPRESSIBLE = /\.(?:js|svg|json|txt|webmanifest)$/

/** Writes a .br and a .gz beside every file of text, at the highest levels. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    applyToEnvironment: ({ name }) => name === 'client',
    async writeBundle({ dir = '' }) {
      const names = await readdir(dir, { recursive: true })
      const compress = async (file: string) => {
        const bytes = await readFile(file)
        const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
        await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, best))
        await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
      }
      await Promise.all(
        names.filter((name) => COMPRESSIBLE.test(name)).map((name) => compress(join(dir, name))),
      )
    },
  }
}

export default defineConfig(({ command }) => ({
  root: 'client',
  plugins: [react(), excerpts(), fonts(), pictures(), inlineStyle(), listModules(), precompress()],
  build: {
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    emptyOutDir: true,
    modulePreload: { polyfill: false },
  },
  builder: {},
  environments: {
    client: {
      build: {
        outDir: '../dist/client',
        manifest: true,
        rolldownOptions: {
          input: ['client/index.html', 'client/entry-client.tsx'],
          output: { codeSplitting: { groups: [frameChunk] } },
        },
      },
    },
    ssr: {
      build: {
        outDir: '../dist/server',
        minify: true,
        copyPublicDir: false,
        rolldownOptions: {
          input: 'client/entry-server.tsx',
          // One file, read at the start: a build under a running site then changes nothing in it.
          output: { codeSplitting: false },
        },
      },
      // The bundle is whole, so that the image needs no React; development loads the packages as they are.
      ...(command === 'build' && {
        resolve: { noExternal: true as const },
        define: { 'process.env.NODE_ENV': '"production"' },
      }),
    },
  },
}))
