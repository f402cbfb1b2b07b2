package dev.kudu4j.tools.fs;

import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/**
 * The directories of a server, given by its flags or by one path. The path may also be that of a
 * tablet or a file.
 */
final class ServerOrPath extends ServerDirectories {
  @Parameters(
      arity = "0..1",
      paramLabel = "PATH",
      description = "Instead of the flags: the directory of a server or of one tablet.")
  private Path path;

  @Override
  Path path() {
    return path;
  }
}
