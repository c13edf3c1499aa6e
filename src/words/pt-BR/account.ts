import type { Words } from '../words.ts';

export const yours: Words['account']['yours'] = {
  othersByMail: ({ left }) =>
    left === 1
      ? 'Mais um exemplar é para outra pessoa. Passe adiante o link do e-mail ou crie um novo aqui.'
      : `Mais ${left} exemplares são para outras pessoas. Passe adiante o link do e-mail ou crie um novo aqui.`,
  othersByLink: ({ left }) =>
    left === 1
      ? 'Mais um exemplar é para outra pessoa. Crie um link aqui e passe adiante.'
      : `Mais ${left} exemplares são para outras pessoas. Crie um link aqui e passe adiante.`,
  title: 'Seu acesso já está liberado',
  read: 'Ler agora',
  epub: 'Baixar EPUB',
  zip: 'Baixar ZIP',
  agent: 'No seu agente',
  agentNote:
    'Seu agente pode ler a sua biblioteca, pesquisar nela e fazer perguntas. Para isso, ele precisa de uma chave, que só aparece uma vez.',
  makeKey: 'Criar chave',
  keyName: 'Meu agente',
  lines: 'As instruções para cada agente',
  order: ({ order }) => `Pedido ${order}.`,
  password: (link) => ['Aqui não é preciso ter senha. Para voltar com uma, ', link('escolha agora'), '.'],
  stays: (library) => ['Fica guardado na ', library('sua biblioteca'), '.'],
  staysWithReceipt: ({ provider, library, receipt }) => [
    'Fica guardado na ',
    library('sua biblioteca'),
    ', e ',
    receipt('o recibo'),
    ` está em ${provider}.`,
  ],
};

const signIn: Words['account']['signIn'] = {
  title: 'Entrar',
  password: 'Senha',
  toAsk: ({ title }) =>
    `Depois de entrar, qualquer pessoa com uma conta aqui pode fazer uma pergunta a “${title}” e receber uma resposta tirada das páginas do livro.`,
  toAskOwned: ({ title }) =>
    `Depois de entrar, quem tem “${title}” pode fazer uma pergunta ao livro e receber uma resposta tirada das páginas dele.`,
  notByProxy:
    'A entrada nesta loja é pelo login da sua organização, que não identificou ninguém para esta página. Recarregue-a em um navegador atualizado; se não resolver, fale com a loja.',
  forgot: 'Esqueceu a senha?',
  mailLink: 'Enviar um link de acesso por e-mail',
  noAccount: (link) => ['Ainda não tem conta? ', link('Crie uma'), '.'],
  bought: ({ find, redeem: enter }) => [
    'Comprou algo aqui? ',
    find('Encontre sua compra'),
    ' ou ',
    enter('resgate um código'),
    '.',
  ],
  anythingElse: 'Precisa de mais alguma coisa?',
  noWayIn: 'Não tem conta ou esqueceu a senha?',
  ask: 'Fale com a loja.',
  askAt: ({ contact }) => ['Fale conosco: ', contact, '.'],
};

const secondStep: Words['account']['secondStep'] = {
  title: 'Digite o código',
  code: 'Código',
  hint: 'Seis dígitos do aplicativo no seu celular, ou um código de recuperação',
  cancel: 'Cancelar',
};

const links: Words['account']['links'] = {
  '/set-up': {
    title: 'Configurar esta loja',
    lead: 'Você passa a administrar a loja: adiciona contas, dá acesso a títulos e vê os registros.',
    button: 'Assumir a loja',
  },
  '/invite': {
    title: 'Boas-vindas',
    lead: 'Escolha uma senha para abrir sua biblioteca.',
    button: 'Salvar senha e entrar',
  },
  '/reset': {
    title: 'Nova senha',
    lead: 'Sua conta será desconectada dos outros navegadores. Seus agentes continuam com acesso, a menos que seu e-mail nunca tenha sido confirmado.',
    button: 'Salvar senha e entrar',
  },
  '/open': {
    title: 'Criar sua conta',
    lead: 'Escolha uma senha. Sua conta será criada em seguida.',
    button: 'Criar conta e entrar',
  },
  demo: {
    title: 'O painel desta demonstração',
    lead: 'Veja o que vê uma editora: pedidos, leitores e números. Quando a loja for reiniciada, este acesso terminará e surgirá um novo link.',
    button: 'Abrir o painel',
  },
  isFor: ({ email }) => ['Para ', email, '.'],
  goOn: 'Continuar',
  code: 'Código do link',
  codeHint: 'A parte depois de # no endereço que você recebeu',
};

const signInLink: Words['account']['signInLink'] = {
  title: 'Entrar com um link',
  lead: 'Abra o link do e-mail neste navegador. Em outro, ele mostra um código: digite-o aqui.',
  code: 'Código',
  hint: 'Oito letras e números',
  elsewhere: 'Digite este código onde você pediu',
  elsewhereLead:
    'Outro navegador pediu para entrar: digite o código lá. Se não foi você, feche esta página e não passe o código a ninguém.',
};

const newEmail: Words['account']['newEmail'] = {
  title: 'Confirme seu novo e-mail',
  lead: 'Depois disso, você entrará com ele. Sua conta será desconectada dos outros navegadores.',
  password: 'Sua senha',
  passwordHint: 'A senha da conta que pediu para usar este e-mail',
  button: 'Usar este e-mail',
  changed: 'E-mail alterado',
  changedLead: ({ email }) => `Entre com ${email} e a senha de sempre.`,
};

const requests: Words['account']['requests'] = {
  '/forgot': {
    title: 'Esqueceu a senha?',
    lead: 'Digite o e-mail da sua conta. Enviaremos um link para você escolher uma nova senha.',
    sent: 'Se houver uma conta com este e-mail, o link está a caminho. Você pode pedi-lo até três vezes por hora.',
  },
  '/sign-up': {
    title: 'Criar conta',
    lead: 'Digite seu e-mail. Enviaremos um link; sua conta será criada quando você o abrir e escolher uma senha.',
    sent: 'Enviamos um link para este e-mail. Você pode pedi-lo até três vezes por hora.',
  },
  '/sign-in/mail': {
    title: 'Entrar por e-mail',
    lead: 'Digite o e-mail da sua conta. Você recebe nele um link de acesso, que vale por 30 minutos.',
    sent: 'Se este e-mail tiver uma conta, um link está a caminho. É possível pedir três por hora.',
  },
  button: 'Enviar link',
};

const subscribe: Words['account']['subscribe'] = {
  news: {
    title: 'Novidades desta loja',
    hint: 'O que há de novo aqui, por e-mail. Para parar, basta um clique.',
    button: 'Quero receber',
    confirmed: 'A partir de agora, você receberá as novidades',
    confirmedLead: 'Toda mensagem traz um link para cancelar.',
  },
  told: {
    title: 'Saiba quando for publicado',
    hint: 'Uma única mensagem, no lançamento. Depois, seu e-mail será apagado.',
    button: 'Avise-me',
    confirmed: 'Vamos avisar você',
    confirmedLead: 'Você receberá uma mensagem quando for publicado. Depois, seu e-mail será apagado.',
  },
  sent: {
    title: 'Confira seu e-mail',
    lead: 'Se este endereço puder receber mensagens, um link está a caminho. Abra-o em até 7 dias; até lá, você não receberá mais nada.',
  },
  confirm: {
    title: 'Confirme seu e-mail',
    lead: 'Depois disso, a loja poderá enviar as mensagens que você pediu.',
    button: 'Confirmar',
  },
};

const news: Words['account']['news'] = {
  title: 'Cancelar novidades por e-mail',
  lead: 'Você deixará de receber novidades neste endereço, inclusive sobre o que você tem ou comprou.',
  button: 'Não receber mais',
  ended: 'Novidades canceladas',
  endedLead:
    'Você não receberá mais novidades neste endereço. Se ele tiver uma conta aqui, é possível reativá-las na página da conta.',
};

const redeem: Words['account']['redeem'] = {
  title: 'Resgatar código',
  lead: 'Um código libera um livro, uma skill ou um pacote para quem o digitar.',
  opens: ({ items }) => ['Este código libera ', items, '.'],
  makeAccount: (link) => [
    'Crie uma conta para ficar com o conteúdo ou, se já tem uma, ',
    link('entre'),
    ': o código não se perde.',
  ],
  account: 'Criar conta',
  code: 'Código',
  codeHint: 'Por exemplo, svg_ABCDE-FGHJK-…; maiúsculas, minúsculas e hifens não fazem diferença',
  accountAndGet: 'Criar conta e resgatar',
  goOn: 'Continuar',
  addTo: ({ email }) => `Adicionar a ${email}`,
};

const claim: Words['account']['claim'] = {
  waitingFor: ({ provider }) => `Aguardando ${provider}`,
  yours: 'Sua compra',
  find: 'Encontre sua compra',
  sentAgain:
    'Se houver uma compra com este e-mail, a mensagem está a caminho. Você pode pedi-la até três vezes por hora.',
  late: 'Esta página só libera uma compra nas primeiras 24 horas. Use o link que está na mensagem ou peça abaixo para recebê-la de novo.',
  refunded: 'Esta compra foi reembolsada e não dá mais acesso a nada.',
  given: 'Esta compra virou presente: quem tem o código o resgata em /redeem.',
  claimed: ({ holder }) =>
    holder === ''
      ? 'A compra está na biblioteca de outra conta. Entre nessa conta para ler.'
      : `A compra está na biblioteca de ${holder}. Entre nessa conta para ler.`,
  signIn: 'Entrar',
  notYours: 'Este e-mail não é seu?',
  notYoursNote: ({ contact, order }) => [
    'Se houve erro de digitação no pagamento, entre aqui na sua própria conta ou escreva do seu e-mail para ',
    contact ?? 'a loja',
    ` e informe o número do pedido, ${order}.`,
  ],
  paidOrder: ({ ref }) => `Pago. Pedido ${ref}`,
  refundedOrder: ({ ref }) => `Reembolsado. Pedido ${ref}`,
  add: 'Adicionar a compra',
  addTo: ({ email }) => `Adicionar a ${email}`,
  known: ({ holder }) => `${holder} já tem conta aqui: entre para adicionar a compra.`,
  signInToAdd: 'Entre para adicionar a compra à sua conta.',
  others: ({ count }) =>
    count === 1
      ? 'Você comprou dois exemplares: um é para a sua biblioteca, e a próxima página tem um link para o outro.'
      : `Você comprou ${count + 1} exemplares: um é para a sua biblioteca, e a próxima página tem um link para os outros ${count}.`,
  waits: ({ provider }) =>
    `${provider} nos avisa do seu pagamento, em geral em poucos segundos. Esta página se atualiza sozinha.`,
  waitsLong: ({ contact, end }) => [
    'Está demorando mais que o normal. Sua compra não se perdeu: a mensagem chegará assim que o pagamento for confirmado. Se não chegar, escreva para ',
    contact ?? 'a loja',
    ' e informe a referência que termina em ',
    end,
    '.',
  ],
  forSomebody: 'É para outra pessoa?',
  presentNote:
    'Você receberá um código para dar de presente. Quem o resgatar ficará com a compra, e você deixará de tê-la.',
  present: 'Dar de presente',
  presentTitle: 'Um presente',
  presentOpens: ({ items }) => ['A primeira pessoa que resgatar este código receberá ', items, '.'],
  enterAt: ({ url }) => `Para resgatar em ${url}; o código só aparece esta vez`,
  keepCode: ({ order }) =>
    `Guarde o código até ele ser usado. Se ele se perder, peça outro à loja e informe o número do pedido, ${order}.`,
  toMail: (link) => ['Recebeu um e-mail desta loja? ', link('Use o link ou peça outra mensagem')],
  link: 'O link que você recebeu',
  byLink: 'Pelo link que você recebeu',
  boughtWith: ({ email }) => ['A compra foi feita com ', email, '.'],
  open: 'Colocar na minha biblioteca',
  hasAccount: ({ email }) => [email, ' já tem conta aqui. Entre e abra de novo o link que está na mensagem.'],
  gumroad: 'Comprou no Gumroad?',
  byLicenseKey: 'Pela chave de licença',
  licenseKey: 'Chave de licença',
  licenseKeyHint: 'Ela está no recibo do Gumroad',
  findMine: 'Encontrar compra',
  noMail: 'Sem o link? Esta loja não envia e-mails: fale com a loja e informe o número do pedido.',
  noMailAsk: ({ contact }) => [
    'Sem o link? Esta loja não envia e-mails: fale com a loja (',
    contact,
    ') e informe o número do pedido.',
  ],
  address: 'Seu e-mail',
  addressNote:
    'A mensagem sobre a compra dá acesso a ela. Para recebê-la de novo, digite o e-mail que você informou no pagamento.',
  sendAgain: 'Enviar de novo',
};

const demo: Words['account']['demo'] = {
  pretended: ({ provider }) => `${provider} é só uma simulação: não pede cartão nem movimenta dinheiro.`,
  pay: 'Pagar',
  emailHint: 'No pagamento de verdade, quem compra digita o seu. Aqui, qualquer um serve',
  payPrice: ({ price }) => `Pagar ${price} (simulação)`,
  receipt: 'Recibo',
  givenBack: 'O dinheiro foi devolvido. Quem comprou não pode mais ler.',
  paid: ({ price, at }) => [`${price} em `, at],
  refund: 'Reembolso',
  refundNote: 'Quem comprou não poderá mais ler, como depois de um reembolso de verdade.',
  giveBack: 'Devolver o dinheiro',
  back: 'Voltar à loja',
};

const said: Words['account']['said'] = {
  'book-mailed': 'O livro está a caminho. Pode levar alguns minutos para aparecer no seu e-reader.',
  'note-sent': 'Enviada ao autor. Se houver resposta, ela aparece aqui.',
  'news-begun':
    'A partir de agora, você receberá por e-mail as novidades do que tem na biblioteca, no máximo uma vez por dia.',
  'news-ended': 'Novidades desativadas. Por e-mail chegarão, no máximo, os anúncios da editora.',
  'agent-link-revoked': 'Link revogado. Os agentes que ainda o usam não encontrarão mais nada nele.',
  'key-revoked': 'Chave revogada. Os programas que ainda a usam receberão o erro 401.',
  'password-changed':
    'Senha alterada. Todas as outras sessões foram encerradas; suas chaves de API continuam valendo.',
  'email-asked':
    'Se o novo e-mail puder ser usado, enviamos um link para ele. Nada mudará até que o link seja aberto, em até 24 horas.',
  'email-changed':
    'Seu e-mail foi alterado. Todas as outras sessões foram encerradas; suas chaves de API continuam valendo.',
  'places-kept': 'A partir de agora, a loja guardará o ponto em que você parou de ler.',
  'places-forgotten': 'A loja apagou os pontos em que você parou de ler e não os guarda mais.',
  'assistant-ended': 'Desconectado. O assistente terá de entrar de novo.',
  'assistant-saved': 'Salvo. Vale a partir da sua próxima conversa.',
  'session-ended': 'Sessão encerrada.',
  'sessions-ended': 'Todas as outras sessões foram encerradas.',
};

export const account: Words['account'] = {
  yours,
  signIn,
  signInLink,
  secondStep,
  links,
  newEmail,
  requests,
  subscribe,
  news,
  redeem,
  claim,
  demo,
  said,
};
