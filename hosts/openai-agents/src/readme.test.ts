import { describeReadme } from '../../../test/hosts/describe-readme.ts'

describeReadme('openai-agents', new URL('testing/readme-example.ts', import.meta.url))
