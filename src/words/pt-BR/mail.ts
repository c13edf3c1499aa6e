import type { Words } from '../words.ts';
import type { MailFacts } from '../en/mail.ts';
import { yours } from './account.ts';

const MISTAKE = 'Se não foi você que pediu, ignore esta mensagem: nada mudará.';

const UNWANTED = 'Se não foi você que pediu, ignore esta mensagem: você não receberá mais nada.';

const mayWrite = (stall: string): string =>
  `${stall} pode escrever para você sobre novas edições do que você comprou. Para não receber mais, basta um clique em qualquer uma dessas mensagens, a qualquer momento.`;

const forOthers = ({ copies, count }: Pick<MailFacts, 'copies' | 'count'>): readonly string[] =>
  copies === ''
    ? []
    : [
        count === '1'
          ? 'Você comprou dois exemplares. Compartilhe este link: com ele, outra pessoa poderá adicionar o segundo à própria biblioteca.'
          : `Você comprou vários exemplares. Compartilhe este link: com ele, outras ${count} pessoas poderão adicionar um exemplar à própria biblioteca.`,
        copies,
      ];

const comingSoon = (titles: string): string => `Em breve: ${titles}. Você receberá um e-mail no lançamento.`;

/** The mails in Brazilian Portuguese. After the comma of "Olá," a new paragraph begins with a capital letter. */
export const mail: Words['mail'] = {
  hello: 'Olá,',
  yourPurchase: 'os títulos do seu pedido',
  reasons: {
    refunded: 'foi reembolsado',
    lost: 'foi estornado depois de uma contestação do pagamento',
    disputed: 'está suspenso por causa de uma contestação do pagamento',
    revoked: 'foi encerrado pela loja',
    ended: 'expirou',
  },
  sold: { live: 'Venda', test: 'Venda de teste' },
  paid: {
    live: 'É uma venda real.',
    test: 'É uma venda de teste: nada foi pago.',
  },
  claim: ({ stall, titles, ref, link, origin, read, epub, coming, ...others }) => [
    `Sua compra em ${stall}`,
    `Agradecemos a sua compra: ${titles}. ${yours.title}.`,
    ...(coming === '' ? [] : [comingSoon(coming)]),
    read === ''
      ? 'Abra este link para adicionar a compra à sua biblioteca:'
      : 'Para ler agora, abra este link:',
    link,
    ...(epub === '' ? [] : ['Na próxima página, você também poderá baixar o EPUB ou usá-lo no seu agente.']),
    `O link só pode ser usado uma vez e vale por 7 dias. Se ele tiver expirado, peça outro em ${origin}/claim.`,
    ...forOthers(others),
    mayWrite(stall),
    `Número do pedido: ${ref}. Se você não comprou nada, alguém deve ter digitado o e-mail errado; você pode ignorar esta mensagem.`,
  ],
  claimed: ({ stall, titles, ref, holder }) => [
    `Sua compra em ${stall}`,
    `Agradecemos a sua compra: ${titles}.`,
    `Ela já está na biblioteca da conta ${holder}, que estava em uso quando a compra foi resgatada.`,
    `Se essa conta não é sua, responda a esta mensagem informando o número do pedido, ${ref}.`,
  ],
  library: ({ stall, titles, ref, read, epub, origin, coming, ...others }) => [
    `Na sua biblioteca em ${stall}`,
    `Agradecemos a sua compra: ${titles}. ${yours.title}.`,
    ...(coming === '' ? [] : [comingSoon(coming)]),
    ...(read === '' ? [] : [`${yours.read}:\n${read}`]),
    ...(epub === '' ? [] : [`${yours.epub}:\n${epub}`]),
    `${yours.agent}:\n${origin}/dashboard/connect`,
    ...forOthers(others),
    mayWrite(stall),
    `Número do pedido: ${ref}.`,
  ],
  ended: ({ stall, titles, ref, reason, origin }) => [
    `Seu pedido em ${stall} ${reason}`,
    `Seu pedido ${ref} ${reason} e, por isso, não dá mais acesso a ${titles}. Em caso de dúvida, responda a esta mensagem.`,
    'Para voltar à loja:',
    origin,
  ],
  invite: ({ stall, link }) => [
    `Sua conta em ${stall}`,
    `Há uma conta em ${stall} à sua espera. Abra este link para escolher uma senha:`,
    link,
    'O link só pode ser usado uma vez e vale por 72 horas.',
  ],
  helper: ({ stall, link, origin }) => [
    `Colabore com ${stall}`,
    `${stall} convida você a adicionar e editar seus livros e skills e a responder ao que os leitores relatam. Abra este link para escolher uma senha:`,
    link,
    'O link só pode ser usado uma vez e vale por 72 horas. Depois, o seu trabalho fica aqui:',
    `${origin}/admin/items`,
  ],
  reset: ({ stall, link }) => [
    `Nova senha em ${stall}`,
    `Alguém, provavelmente você, pediu uma nova senha em ${stall}. Abra este link para escolhê-la:`,
    link,
    'O link só pode ser usado uma vez e vale por 72 horas.',
    MISTAKE,
  ],
  'sign-in': ({ stall, link }) => [
    `Entrar em ${stall}`,
    `Alguém, provavelmente você, pediu para entrar em ${stall}. Abra este link no mesmo navegador:`,
    link,
    'Em outro navegador, ele mostra um código para digitar onde você pediu. O link só pode ser usado uma vez e vale por 30 minutos.',
    MISTAKE,
  ],
  open: ({ stall, link }) => [
    `Crie sua conta em ${stall}`,
    `Abra este link para escolher uma senha; em seguida, sua conta em ${stall} será criada:`,
    link,
    'O link só pode ser usado uma vez e vale por 72 horas.',
    MISTAKE,
  ],
  email: ({ stall, link }) => [
    `Confirme seu novo e-mail em ${stall}`,
    `Alguém, provavelmente você, pediu para usar este e-mail na própria conta em ${stall}. Abra este link para confirmar:`,
    link,
    'O link só pode ser usado uma vez e vale por 24 horas.',
    MISTAKE,
  ],
  taken: ({ stall, origin }) => [
    `Você tem uma conta em ${stall}`,
    'Alguém, talvez você, pediu para usar este e-mail em outra conta. Esse e-mail já tem uma conta, por isso nada muda. Entre nela aqui:',
    `${origin}/sign-in`,
  ],
  moving: ({ stall, holder, origin }) => [
    `Seu e-mail em ${stall} está prestes a mudar`,
    `Alguém que sabe a sua senha pediu para trocar o e-mail da sua conta por ${holder}. Nada mudará enquanto não for aberto o link enviado para lá.`,
    'Se não foi você, escolha outra senha agora. Isso cancela o link e encerra todas as outras sessões:',
    `${origin}/forgot`,
    'Se o e-mail já mudou, responda a esta mensagem ou escreva para a loja.',
  ],
  'wrong-codes': ({ stall, origin }) => [
    `Códigos incorretos na sua conta em ${stall}`,
    'Em um único dia, alguém digitou dez códigos de verificação incorretos na sua conta. Essa pessoa sabe a sua senha ou tem um link para a sua conta. Ela não conseguiu entrar.',
    'Se não foi você, escolha outra senha agora:',
    `${origin}/dashboard/account/password`,
  ],
  'step-off': ({ stall, origin }) => [
    `Verificação em duas etapas desativada em ${stall}`,
    'A verificação em duas etapas da sua conta foi desativada. A partir de agora, basta a senha para entrar.',
    'Se não foi você, escolha outra senha agora e ative a verificação de novo:',
    `${origin}/dashboard/account`,
  ],
  attention: ({ stall, count, origin }) => [
    count === '1'
      ? `Um pedido em ${stall} precisa da sua atenção`
      : `${count} pedidos em ${stall} precisam da sua atenção`,
    count === '1' ? 'Um pedido precisa da sua atenção:' : `${count} pedidos precisam da sua atenção:`,
    `${origin}/admin/orders`,
  ],
  reports: ({ stall, count, origin }) => [
    count === '1' ? `Aviso de um leitor de ${stall}` : `${count} avisos de leitores de ${stall}`,
    count === '1' ? 'Há um aviso de um leitor pendente:' : `Há ${count} avisos de leitores pendentes:`,
    `${origin}/admin/reports`,
  ],
  answered: ({ stall, titles, state, answer, origin }) => [
    `Seu aviso em ${stall}`,
    `Seu aviso sobre ${titles} está marcado como “${state}”.`,
    ...(answer === '' ? [] : [answer]),
    `Tudo o que você enviou aos autores está aqui:\n${origin}/dashboard/notes#sent`,
  ],
  sale: ({ stall, titles, price, ref, sold, paid, buyer, count, order }) => [
    `${sold} em ${stall}: ${titles}`,
    `Você vendeu ${titles} por ${price}. ${paid}`,
    `Comprador: ${buyer}
Exemplares: ${count}
Pedido: ${ref}`,
    order,
  ],
  'e-reader': ({ stall, titles }) => [
    `Seu livro de ${stall}`,
    `aqui está ${titles} para o seu e-reader. Você o pediu em ${stall}.`,
  ],
  published: ({ stall, titles, read }) => [
    `Publicado em ${stall}: ${titles}`,
    `Já disponível na sua biblioteca: ${titles}.`,
    `${yours.read}:\n${read}`,
  ],
  news: ({ stall, titles, news, link, read }) => [
    `Novidades em ${stall}: ${titles}`,
    news,
    `Abra aqui:\n${read}`,
    `Você recebe esta mensagem porque tem ou comprou ${titles}. Para não receber mais mensagens assim de ${stall}, abra este link:`,
    link,
  ],
  subscribe: ({ stall, link }) => [
    `Confirme seu e-mail para receber novidades de ${stall}`,
    `Alguém, provavelmente você, pediu para receber novidades de ${stall} neste e-mail. Abra este link para confirmar:`,
    link,
    'O link vale por 7 dias.',
    UNWANTED,
  ],
  'tell-me': ({ stall, titles, link }) => [
    `Confirme que ${stall} pode avisar você sobre ${titles}`,
    `Alguém, provavelmente você, pediu um aviso do lançamento de ${titles}. Abra este link para confirmar seu e-mail:`,
    link,
    'O link vale por 7 dias. No lançamento, você receberá uma única mensagem; depois, seu e-mail será apagado.',
    UNWANTED,
  ],
  told: ({ stall, titles, link, read }) => [
    `Publicado em ${stall}: ${titles}`,
    `Aqui está o aviso que você pediu. Já disponível: ${titles}.`,
    `Abra aqui:\n${read}`,
    'Esta é a única mensagem que você pediu. Se não quiser receber nenhuma outra desta loja, abra este link:',
    link,
  ],
  bulletin: ({ stall, titles, news, link, read }) => [
    `Novidades em ${stall}: ${titles}`,
    news,
    `Abra aqui:\n${read}`,
    `Você recebe esta mensagem porque pediu novidades de ${stall}. Para não receber mais, abra este link:`,
    link,
  ],
};
