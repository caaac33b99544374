import { describeReadme } from '../../../test/hosts/describe-readme.ts'

describeReadme('openai-agents')
