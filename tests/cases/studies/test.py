"""lbmBench study says what is possible, and plotStudy draws what it writes."""

from caseTest import *

status, output = run("lbmBench study")
if "need a build with CUDA" in output:
    check("hostOnly", status != 0, "exit status 0")
    skipped("names", "studies need a build with CUDA")
else:
    names = re.findall(r"^ +\d+ +(\w+)", output, re.M)
    check("names", status != 0 and len(names) == 9, output)
    status, output = run("lbmBench study fastest")
    check("unknown", status != 0 and "'fastest'" in output
          and all(name in output for name in names), output)
    status, output = run("lbmBench study arrays --steps 10")
    check("steps", status != 0 and "10, possible: 200 or more" in output,
          output)
    status, output = run("lbmBench study arrays --csv nowhere/arrays.csv")
    check("csv", status != 0 and "cannot write nowhere/arrays.csv" in output,
          output)

    status, output = run("lbmBench study arrays --backend host")
    check("device", status != 0 and "'arrays' needs a device" in output, output)
    if ifLong("hybrid"):
        # With 12 nodes the Gaussian is up to 4.9 % off, Nusselt numbers up to 2.7 %;
        # detects change
        output = mustRun("lbmBench study hybrid --backend host")
        errors = [[float(x) for x in line.split("|")[2:-1]]
                  for line in output.splitlines() if line.startswith("| 12 |")]
        check("hybrid", "of the plain loop" in output and len(errors) == 3
              and max(errors[0]) < 5.2 and max(errors[1] + errors[2]) < 3, output)

    # All libraries but that of the studies
    Path("lib").mkdir()
    for folder in os.environ["LD_LIBRARY_PATH"].split(":"):
        if folder:
            for library in Path(folder).glob("liblbm*.so"):
                link = Path("lib") / library.name
                if library.name != "liblbmBenchStudy.so" and not link.exists():
                    link.symlink_to(library.resolve())
    others = [folder for folder in os.environ["LD_LIBRARY_PATH"].split(":")
              if folder and not list(Path(folder).glob("liblbmBenchStudy.so"))]
    status, output = run("lbmBench study arrays", environment={
        "LD_LIBRARY_PATH": ":".join([str(Path("lib").resolve())] + others)})
    check("hostOnly", status != 0 and "need a build with CUDA" in output,
          output)

plotStudy = [sys.executable, str(top / "bin" / "plotStudy")]
figures = Path("figures.csv")

if gpu:
    output = mustRun("lbmBench study merging --csv figures.csv")
    check("run", output.count("| bits |") >= 8, output)
else:
    skipped("run", "no GPU")
    figures.write_text("""# device none
part,title,xName,x,variant,unit,value,ofCopy,bytes,registers,localBytes,\
occupancy,predicted,check
lines,Lines,nodes,8,one,GLUPS,1,0.1,152,64,0,0.5,,bits
lines,Lines,nodes,16,one,GLUPS,2,0.2,152,64,0,0.5,,bits
lines,Lines,nodes,8,two,GLUPS,3,0.3,152,64,0,0.5,2.5,bits
lines,Lines,nodes,16,two,GLUPS,2,0.2,152,64,0,0.5,2.5,bits
bars,Bars,,0,one,GLUPS,1,0.1,152,64,0,0.5,,bits
bars,Bars,,0,two,GLUPS,3,,0,0,0,0,,
""")

status, output = run(plotStudy + ["figures.csv"])
if "python3-vtk9" in output or "no Xvfb" in output:
    skipped("picture", output.strip())
    finish()
check("picture", status == 0 and Path("figures.png").stat().st_size > 5000
      if Path("figures.png").is_file() else False, output)

status, output = run(plotStudy + ["figures.csv", "-parts", "columns"])
check("parts", status != 0 and "No table columns" in output, output)

Path("other.csv").write_text("a,b\n1,2\n")
status, output = run(plotStudy + ["other.csv"])
check("otherCsv", status != 0 and "not the csv of a study" in output, output)

finish()
