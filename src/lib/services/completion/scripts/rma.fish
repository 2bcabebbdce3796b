# Completion of rma for fish, written by: rma completion fish
function __rma_complete
    command rma __complete fish (commandline -opc) (commandline -ct) 2>/dev/null </dev/null
end
complete -c rma -f -a '(__rma_complete)'
