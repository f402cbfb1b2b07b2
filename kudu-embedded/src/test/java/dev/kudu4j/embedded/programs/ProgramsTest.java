package dev.kudu4j.embedded.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.embedded.EmbeddedCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the programs of the documents, and compares the documents with their sources. */
@Timeout(120)
class ProgramsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path PROGRAMS =
      ROOT.resolve("kudu-embedded/src/test/java/dev/kudu4j/embedded/programs");

  /** A link to the source, followed by its text. */
  private static final Pattern SHOWN =
      Pattern.compile("\\[(\\w+)\\.java\\]\\(\\S+\\)[^\n]*\n```java\n(.*?)```", Pattern.DOTALL);

  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private static final Pattern WORD = Pattern.compile("\\w+|\\S");

  /** The main method of a program. */
  private interface Program {
    void run(String... masters) throws Exception;
  }

  @Test
  void programsPrintTheDocumentedOutput() throws Exception {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder().masterFlag("--txn_manager_enabled").start()) {
      String masters = cluster.masterAddresses();
      assertThat(output(FirstSteps::main, masters))
          .containsExactly("Ada Lovelace", "1 Ada Lovelace");
      assertThat(output(Ported::main, masters)).containsExactly("written");
      assertThat(output(Metering::main, masters))
          .singleElement()
          .asString()
          .matches("2 names in \\d+ requests");
      assertThat(output(BulkLoad::main, masters)).containsExactly("100000 rows sent, 0 refused");
      assertThat(output(ArrowScan::main, masters))
          .containsExactly("50000 warm readings, 27.0 degrees on average");
      assertThat(output(UpsertsFromManyThreads::main, masters))
          .containsExactly("160 sensors show their last reading");
      assertThat(output(Batches::main, masters)).containsExactly("stock: 1", "orders: 3");
      assertThat(output(FollowChanges::main, masters))
          .containsExactly("INSERT tea 9", "UPDATE tea 8", "UPDATE tea 7", "0 more");
      assertThat(output(TimeTravel::main, masters))
          .containsExactlyInAnyOrder(
              "now:",
              "bread 4",
              "then:",
              "bread 3",
              "tea 5",
              "changed:",
              "bread is new",
              "tea is gone")
          .startsWith("now:", "bread 4", "then:");
    }
  }

  private static List<String> output(Program program, String masters) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(ofThisThread(bytes, before), true, StandardCharsets.UTF_8));
    try {
      program.run(masters);
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  /** Output of other threads, such as the servers' logs, goes elsewhere. */
  private static OutputStream ofThisThread(OutputStream own, OutputStream others) {
    Thread thread = Thread.currentThread();
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        (Thread.currentThread() == thread ? own : others).write(b);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        (Thread.currentThread() == thread ? own : others).write(bytes, offset, length);
      }
    };
  }

  @Test
  void theDocumentShowsTheProgramsThemselves() throws IOException {
    List<String> shown = new ArrayList<>();
    Matcher program = SHOWN.matcher(Files.readString(ROOT.resolve("docs/client.md")));
    while (program.find()) {
      shown.add(program.group(1));
      assertThat(program.group(2).strip())
          .as(program.group(1))
          .isEqualTo(text(PROGRAMS.resolve(program.group(1) + ".java")));
    }
    assertThat(shown).containsExactlyInAnyOrderElementsOf(programs());
  }

  private static TreeSet<String> programs() throws IOException {
    try (Stream<Path> files = Files.list(PROGRAMS)) {
      return files
          .map(file -> file.getFileName().toString().replace(".java", ""))
          .filter(name -> !name.equals("package-info") && !name.endsWith("Test"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** A source without its imports. */
  private static String text(Path source) throws IOException {
    return Files.readAllLines(source).stream()
        .filter(line -> !line.startsWith("package ") && !line.startsWith("import "))
        .collect(Collectors.joining("\n"))
        .strip();
  }

  /** The README omits the middle of the program, and has other line breaks. */
  @Test
  void theReadmeBeginsLikeTheFirstProgram() throws IOException {
    Matcher first = JAVA.matcher(Files.readString(ROOT.resolve("README.md")));
    assertThat(first.find()).isTrue();
    assertThat(words(text(PROGRAMS.resolve("FirstSteps.java"))))
        .containsSubsequence(words(first.group(1).replace("\"127.0.0.1:7051\"", "masters")));
  }

  private static List<String> words(String text) {
    return WORD.matcher(text).results().map(MatchResult::group).toList();
  }
}
