/**
 * Roles of viewers, and the directive @access, by which the schema's text names the right that is enforced (rights.ts).
 */
import { DirectiveLocation, GraphQLDirective, type GraphQLEnumType, GraphQLNonNull, type GraphQLSchema } from 'graphql'
import type { Right } from '../../operations/operation.ts'
import { wordEnum } from './word-enum.ts'

export const RoleEnum = wordEnum(
  'Role',
  'What a token lets its holder do; each role may do all that the roles after it may.',
  {
    admin: 'An administrator: may read and change everything.',
    account: "A shopper whose token names an account: may use that account's subscriptions as well.",
    shopper: 'A shopper without an account: may read what is published.',
  },
)

/** The role that a right requires; null for the right of anyone. */
export const roleOf: Readonly<Record<Right, 'ADMIN' | 'ACCOUNT' | null>> = {
  admin: 'ADMIN',
  account: 'ACCOUNT',
  anyone: null,
}

export function accessDirective(schema: GraphQLSchema): GraphQLDirective {
  return new GraphQLDirective({
    name: 'access',
    description: 'The least role that may use the type or field, and all that is below it; without it every role may.',
    locations: [DirectiveLocation.OBJECT, DirectiveLocation.FIELD_DEFINITION],
    args: {
      role: {
        type: new GraphQLNonNull(schema.getType(RoleEnum.name) as GraphQLEnumType),
        description: 'The least role.',
      },
    },
  })
}
