package dev.kudu4j.tools.fs;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.fs.Instance;
import dev.kudu4j.server.fs.ServerFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Sets the data directories of a server. */
@Command(
    name = "update_dirs",
    description =
        "Sets the data directories of a server that is not running: adds new ones and"
            + " removes others.",
    mixinStandardHelpOptions = true)
final class UpdateDirsVerb implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = {"--fs_wal_dir", "--fs-wal-dir"},
      required = true,
      paramLabel = "DIR",
      description = "The directory of the server's write-ahead logs and identity.")
  private Path walDirectory;

  @Option(
      names = {"--fs_data_dirs", "--fs-data-dirs"},
      paramLabel = "DIR",
      split = ",",
      description =
          "All data directories that the server will have; default: the directory of the logs.")
  private List<Path> dataDirectories = new ArrayList<>();

  @Option(
      names = "--force",
      description = "Remove directories, with the replicas that they contain.")
  private boolean force;

  @Override
  public Integer call() throws IOException {
    if (!Files.isRegularFile(walDirectory.resolve(Instance.FILE_NAME))) {
      throw KuduException.notFound(
          "%s is not the directory of a server; give the server's --fs_wal_dir", walDirectory);
    }
    List<Path> wanted = dataDirectories.stream().map(Path::toAbsolutePath).toList();
    List<Path> gone =
        ServerFiles.updateDataDirectories(
            walDirectory.toAbsolutePath(), wanted, force, new SecureRandom());
    PrintWriter out = spec.commandLine().getOut();
    gone.forEach(directory -> out.println("Removed: " + directory));
    out.println("Data directories: " + (wanted.isEmpty() ? List.of(walDirectory) : wanted));
    out.flush();
    return 0;
  }
}
