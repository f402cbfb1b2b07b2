package dev.kudu4j.server.raft.tuning;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

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

  /**
   * The value of the field.
   *
   * @throws NoSuchFieldException if Ratis has changed: there is no such field, or it has no value
   */
  static Object get(Object owner, String name) throws ReflectiveOperationException {
    return of(owner, name).get();
  }

  /** The value of a field that may be null. */
  static @Nullable Object find(Object owner, String name) throws ReflectiveOperationException {
    RatisField found = of(owner, name);
    return found.field.get(found.owner);
  }

  /** See {@link #get(Object, String)}. */
  Object get() throws ReflectiveOperationException {
    Object value = field.get(owner);
    if (value == null) {
      throw new NoSuchFieldException(field + " has no value");
    }
    return value;
  }

  void set(Object value) throws IllegalAccessException {
    field.set(owner, value);
  }
}
