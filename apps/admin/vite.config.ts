import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defaultClientConditions, defaultServerConditions, defineConfig } from 'vite'

const source = '@sidelinja/source'

export default defineConfig({
  plugins: [
    sveltekit({
      adapter: adapter(),
      // Only SvelteKit knows the nonces of its scripts; jobs-admin adds a second policy, which can only forbid more.
      csp: {
        mode: 'nonce',
        directives: {
          'default-src': ['none'],
          'script-src': ['self'],
          'style-src': ['self'],
          // The one style attribute that SvelteKit itself writes, on the element that tells screen readers of a new page.
          'style-src-attr': ['unsafe-hashes', 'sha256-S8qMpvofolR8Mpjy4kQvEm7m1q8clzU4dfDH0AmvZjo='],
          'img-src': ['self', 'data:'],
          'font-src': ['self'],
          'connect-src': ['self'],
          'form-action': ['self'],
          'base-uri': ['none'],
          'object-src': ['none'],
          'frame-ancestors': ['none'],
        },
      },
    }),
  ],
  resolve: { conditions: [source, ...defaultClientConditions] },
  // Our own packages are bundled from their source: nothing has to be built before.
  ssr: { noExternal: [/^@sidelinja\//], resolve: { conditions: [source, ...defaultServerConditions] } },
})
