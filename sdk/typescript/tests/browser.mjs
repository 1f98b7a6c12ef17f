// The client in a browser: from the service's own origin, where it works, and from another one, which is refused. What
// the browser asks below /sdk/ is answered from the built package. Arguments: the browser, the package. It prints one
// line of JSON.
import { readFile } from 'node:fs/promises'
import { chromium } from 'playwright-core'

const [executablePath, dist] = process.argv.slice(2)
const [url, key] = [process.env.SANDBOX_AGENT_URL, process.env.SANDBOX_AGENT_API_KEY]
const args = ['--no-sandbox', '--disable-background-networking', '--disable-component-update',
  '--disable-dev-shm-usage', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1']
const browser = await chromium.launch({ executablePath, args })
const page = await browser.newPage()
await page.route('**/sdk/*', async (route) => {
  const name = new URL(route.request().url()).pathname.slice('/sdk/'.length)
  if (!name.endsWith('.js')) return route.fulfill({ contentType: 'text/html', body: '<p>a page' })
  await route.fulfill({ contentType: 'text/javascript', body: await readFile(`${dist}/${name}`, 'utf8') })
})

async function work([url, apiKey]) {
  const { Sandbox } = await import('/sdk/index.js')
  const client = new Sandbox({ url, apiKey, retries: 0 })
  let said = ''
  const ran = await client.execute('bash', 'echo run; cat', { stdin: 'in', onStdout: (text) => (said += text) })
  return client.withSession({ ttl: 60 }, async (session) => {
    await session.files.write('f', new Uint8Array([0xff, 10]))
    const cat = await session.start({ command: 'cat f -' }, { stdin: true })
    await cat.write('typed')
    await cat.closeInput()
    const bytes = [...(await session.files.read('f'))]
    return [ran.stdout, said, (await cat.wait()).stdout, bytes, (await session.fetch(9)).status]
  })
}

const run = async (origin) => {
  await page.goto(origin + '/sdk/page')
  return page.evaluate(work, [url, key]).catch((e) => e.message.split('\n')[0])
}
console.log(JSON.stringify({ own: await run(url), other: await run('http://127.0.0.1:1'), version: browser.version() }))
await browser.close()
