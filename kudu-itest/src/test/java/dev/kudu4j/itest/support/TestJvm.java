package dev.kudu4j.itest.support;

import java.util.List;
import java.util.stream.Stream;

/** The JVM options of the build for JVMs that live briefly: the property {@code test.jit}. */
public final class TestJvm {
  private static final List<String> OPTIONS =
      Stream.of(System.getProperty("test.jit", "-XX:TieredStopAtLevel=1").split(" ")).toList();

  private TestJvm() {}

  /** Compilers and collector. */
  static List<String> options() {
    return OPTIONS;
  }

  /** Compilers only, for a JVM with a collector of its own; none means the JVM's default. */
  public static List<String> compilers() {
    return OPTIONS.stream().filter(option -> !option.matches("-XX:\\+Use\\w+GC")).toList();
  }
}
