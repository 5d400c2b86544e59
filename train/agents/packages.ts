/**
 * Published programs that hold the instructions which agents and applications give to models: what a model that was taught by
 * attacks takes for one most easily. From those that may be freely used it learns; the others only measure, as do some that are
 * kept from it so that somebody does.
 */
export interface Source {
  readonly name: string;
  readonly version: string;
  readonly use: 'train' | 'eval';
}

const TRAIN = [
  '@agentica/core@0.31.3',
  '@angular/cli@21.2.28',
  '@arizeai/phoenix-evals@1.2.0',
  '@ax-llm/ax@24.0.21',
  '@genkit-ai/evaluator@1.42.0',
  '@google/adk@2.0.0',
  '@google/gemini-cli@0.61.0',
  '@google/gemini-cli-core@0.61.0',
  '@iqai/adk@0.5.9',
  '@langchain/community@1.1.29',
  '@langchain/core@1.4.0',
  '@librechat/agents@3.2.21',
  '@lobehub/chat@1.143.3',
  '@mastra/evals@0.14.4',
  '@mastra/memory@0.15.13',
  '@midscene/core@1.13.1',
  '@musistudio/claude-code-router@2.0.0',
  '@openai/agents-core@0.20.0',
  '@openai/codex@0.1.2505172129',
  '@roo-code/types@1.115.0',
  '@strands-agents/sdk@1.16.0',
  '@supabase/mcp-server-supabase@0.13.0',
  '@tanstack/ai@0.58.0',
  '@upstash/context7-mcp@4.1.1',
  '@vibe-kit/grok-cli@0.0.34',
  '@voltagent/core@2.10.0',
  '@wonderwhy-er/desktop-commander@0.2.52',
  'agents@0.32.0',
  'aicommits@3.4.0',
  'autoevals@0.0.132',
  'bee-agent-framework@0.1.2',
  'beeai-framework@0.1.30',
  'bmad-method@6.12.0',
  'browser-use@0.8.0',
  'chrome-devtools-mcp@1.11.0',
  'claude-code-templates@1.29.6',
  'claude-flow@2.0.0',
  'figma-developer-mcp@0.13.2',
  'firebase-tools@15.34.2',
  'genkit@1.42.0',
  'gptlint@1.6.0',
  'kaibanjs@0.23.1',
  'langsmith@0.12.0',
  'llamaindex@0.12.1',
  'magnitude-core@0.3.1',
  'mcp-use@1.34.6',
  'mem0ai@3.3.1',
  'next@16.4.6',
  'opencommit@3.3.10',
  'openskills@1.5.0',
  'typechat@0.1.2',
  'vibe-tools@0.63.0',
];

const EVAL = [
  '@anthropic-ai/claude-agent-sdk@0.1.0',
  '@anthropic-ai/claude-code@1.0.60',
  '@augmentcode/auggie@0.36.0',
  '@browserbasehq/stagehand@3.7.3',
  '@codebuff/sdk@0.10.7',
  '@continuedev/cli@1.5.47',
  '@elizaos/core@1.7.2',
  '@fission-ai/openspec@1.13.2',
  '@mastra/core@0.24.9',
  'flowise-components@3.1.4',
  'get-shit-done-cc@1.32.0',
  'langchain@0.2.20',
  'task-master-ai@0.43.1',
];

export const SOURCES: readonly Source[] = [
  ...TRAIN.map((named) => sourceOf(named, 'train')),
  ...EVAL.map((named) => sourceOf(named, 'eval')),
];

function sourceOf(named: string, use: Source['use']): Source {
  const at = named.lastIndexOf('@');
  return { name: named.slice(0, at), version: named.slice(at + 1), use };
}
