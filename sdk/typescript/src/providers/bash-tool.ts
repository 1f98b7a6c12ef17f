/** bash-tool: `createBashTool({ sandbox: bashSandbox(session) })`. Its destination is /workspace as it stands. */
import type { Session } from '../session.js'
import { run } from './command.js'

export function bashSandbox(session: Session) {
  return {
    async executeCommand(command: string) {
      const { exitCode, stdout, stderr } = await run(session, command)
      return { exitCode, stdout, stderr }
    },
    readFile: (path: string) => session.files.readText(path),
    async writeFiles(files: { path: string; content: string | Uint8Array }[]) {
      for (const { path, content } of files) await session.files.write(path, content)
    },
  }
}
