package dev.kudu4j.server.raft.tuning;

import java.lang.reflect.Field;

/**
 * A private field of a Ratis object, used where Ratis has no setting. If a version of Ratis lacks
 * the field, the caller keeps Ratis' behavior.
 */
final class RatisField {
  private final Object owner;
  private final Field field;

  private RatisField(Object owner, Field field) {
    this.owner = owner;
    this.field = field;
  }

  /**
   * The field with this name in the object's class or a superclass.
   *
   * @throws NoSuchFieldException if Ratis has changed
   */
  static RatisField of(Object owner, String name) throws NoSuchFieldException {
    for (Class<?> type = owner.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          field.setAccessible(true);
          return new RatisField(owner, field);
        }
      }
    }
    throw new NoSuchFieldException(owner.getClass() + " has no field " + name);
  }

  /** The value of the field. */
  static Object get(Object owner, String name) throws ReflectiveOperationException {
    return of(owner, name).get();
  }

  Object get() throws IllegalAccessException {
    return field.get(owner);
  }

  void set(Object value) throws IllegalAccessException {
    field.set(owner, value);
  }
}
