import type { Services } from '../services.ts'

/** The same services, telling `onCall` before each call of one of their functions. */
export function wrapServices(services: Services, onCall: () => void): Services {
  return new Proxy(standIn(services), {
    get(_target, name) {
      const service = Reflect.get(services, name)
      return isObject(service) && typeof name === 'string' ? wrapFunctions(service, onCall) : service
    },
  })
}

function wrapFunctions(service: object, onCall: () => void): object {
  const functions = new Map<PropertyKey, unknown>()
  return new Proxy(standIn(service), {
    get(_target, name) {
      const value = Reflect.get(service, name)
      if (typeof value !== 'function') return value
      if (!functions.has(name)) {
        functions.set(name, (...args: unknown[]) => {
          onCall()
          return Reflect.apply(value, service, args)
        })
      }
      return functions.get(name)
    },
  })
}

/** What a proxy is made of here: it may not answer otherwise than a frozen object that it wraps. */
function standIn<Original extends object>(original: Original): Original {
  return Object.create(Object.getPrototypeOf(original))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
