import type { Words } from '../words.ts';

export const assistants: Words['assistants'] = {
  title: 'Conectar um assistente',
  titleKey: 'Entrar pela linha de comando',
  asksKey: ({ machine }) => `O bookstall em “${machine}” pede uma chave.`,
  mayKey:
    'A chave abre por 90 dias o que você pode ler aqui. Ela aparece em “Chaves”, onde você pode revogá-la.',
  asks: ({ name }) => `${name} pede para ler a sua biblioteca aqui.`,
  described: ({ host }) => `Quem diz o que ele é: ${host}.`,
  leadsTo: ({ host }) => `Depois você será levado a ${host}.`,
  local: 'É um programa do seu próprio computador. Continue só se você acabou de iniciá-lo.',
  as: ({ email }) => `Ele age como ${email}.`,
  may: 'Ele pode buscar, ler e listar o que você pode ler aqui, e nada mais da sua conta.',
  ask: 'Fazer perguntas aos livros, que talvez quem mantém esta loja pague',
  notes: 'Ler minhas próprias notas',
  connect: 'Conectar',
  refuse: 'Não conectar',
  wrong: 'Não é possível conectar',
  client:
    'O programa não disse quem é de uma forma conhecida aqui. Conecte-o de novo nas configurações dele.',
  document: 'Não foi possível ler quem é o programa no endereço que ele indica. Tente de novo em um minuto.',
  redirect:
    'O programa pede para levar você a um endereço que não tinha informado. Conecte-o de novo nas configurações dele.',
  request: 'O programa perguntou de uma forma que não pode ser respondida aqui.',
  back: ({ name }) => `Voltar a ${name}`,
  once: 'Esta página já foi usada. Conecte de novo nas configurações do seu assistente.',
  list: 'Assistentes',
  lead: 'Assistentes que leem aqui por você. Cada um pode ler o que você pode ler; desconectado, ele para a partir do próximo pedido.',
  none: 'Nenhum assistente. Claude, ChatGPT e outros podem ler os seus livros: adicione um conector com o endereço abaixo e entre.',
  address: 'Endereço para o seu assistente',
  since: 'Desde',
  lastUsed: 'Último uso',
  disconnectToo: 'Desconectar também os assistentes',
  disconnect: 'Desconectar',
  ended: 'Encerrado',
  endedReuse: 'Encerrado, porque o token foi usado duas vezes: alguém pode tê-lo copiado',
  save: 'Salvar',
  way: 'Claude, ChatGPT e outros: adicione um conector com este endereço e entre.',
  claude: 'Claude: Configurações, Conectores, “Add custom connector”; depois “Connect”.',
  chatgpt:
    'ChatGPT: Configurações, “Apps & Connectors”, “Advanced settings”: ative “Developer mode”; depois “Create”.',
  all: 'Seus assistentes',
};
