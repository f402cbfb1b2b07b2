package dev.kudu4j.common.security;

import dev.kudu4j.common.status.KuduException;
import java.util.HashSet;
import java.util.Set;

/**
 * A list of user names as Apache Kudu's access flags take it: comma-separated, with {@code *} for
 * everybody.
 */
public final class UserList {
  /** Everybody. */
  public static final UserList EVERYBODY = new UserList(true, Set.of());

  /** First characters that are kept free for later forms of the list. */
  private static final String RESERVED = "!@#$%*-=+'\"";

  private final boolean everybody;
  private final Set<String> names;

  private UserList(boolean everybody, Set<String> names) {
    this.everybody = everybody;
    this.names = Set.copyOf(names);
  }

  /** A list of one user. */
  public static UserList of(String name) {
    return new UserList(false, Set.of(name));
  }

  /**
   * The list that a flag gives.
   *
   * @throws KuduException INVALID_ARGUMENT that names the flag
   */
  public static UserList parse(String flag, String text) {
    Set<String> names = new HashSet<>();
    for (String part : text.split(",")) {
      String name = part.strip();
      if (name.equals("*")) {
        return EVERYBODY;
      }
      if (!name.isEmpty()) {
        names.add(checked(flag, name));
      }
    }
    return new UserList(false, names);
  }

  private static String checked(String flag, String name) {
    if (RESERVED.indexOf(name.charAt(0)) >= 0 || name.chars().anyMatch(Character::isWhitespace)) {
      throw KuduException.invalidArgument(
          "Flag --%s holds '%s', which is not a user name; it takes names separated by commas, or *"
              + " for everybody",
          flag, name);
    }
    return name;
  }

  public boolean contains(String user) {
    return everybody || names.contains(user);
  }

  @Override
  public String toString() {
    return everybody ? "*" : String.join(",", names);
  }
}
